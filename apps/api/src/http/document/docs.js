// The settings of Swagger UI. The page follows the system between light and dark.
const dark = matchMedia('(prefers-color-scheme: dark)');

function applyTheme() {
  document.documentElement.classList.toggle('dark-mode', dark.matches);
}

dark.addEventListener('change', applyTheme);
applyTheme();

/**
 * Shows texts as elements, with `code` in backticks. Swagger UI's own renderer sets HTML, which the policy of the server
 * (Trusted Types) refuses.
 */
function createTextPlugin({ React }) {
  function showParagraph(text) {
    const parts = text
      .split('`')
      .map((part, index) => (index % 2 === 1 ? React.createElement('code', null, part) : part));
    return React.createElement('p', null, ...parts);
  }
  function Markdown({ source = '' }) {
    return React.createElement(
      'div',
      { className: 'renderedMarkdown' },
      ...source
        .replaceAll(/<\/?i>/g, '')
        .trim()
        .split('\n\n')
        .map(showParagraph),
    );
  }
  return { components: { Markdown } };
}

SwaggerUIBundle({
  url: '/v1/openapi.json',
  dom_id: '#api',
  plugins: [createTextPlugin],
  deepLinking: true,
  docExpansion: matchMedia('(min-width: 900px)').matches ? 'list' : 'none',
  defaultModelsExpandDepth: -1,
  displayRequestDuration: true,
});
