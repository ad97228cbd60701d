import { type Plugin, parseSync, Visitor } from 'vite';

const CONTRACT = /\/packages\/contract\/src\/[^?]+\.ts$/;
/** Fields of an endpoint that the server alone reads: it checks requests, limits callers and describes its API. */
const SERVER_FACTS = ['summary', 'params', 'query', 'body', 'status', 'limit', 'errors', 'while_locked'];

/** The source of a file of the contract without what the app would carry for nothing, on its first route too. */
export function withoutServerFacts(source: string): string {
  let kept = '';
  let end = 0;
  new Visitor({
    CallExpression({ callee, arguments: [description] }) {
      if (callee.type !== 'Identifier' || callee.name !== 'endpoint') return;
      if (description?.type !== 'ObjectExpression') return;
      for (const [index, field] of description.properties.entries()) {
        if (field.type !== 'Property' || field.key.type !== 'Identifier') continue;
        if (!SERVER_FACTS.includes(field.key.name)) continue;
        kept += source.slice(end, field.start);
        end = description.properties[index + 1]?.start ?? description.end - 1;
      }
    },
  }).visit(parseSync('contract.ts', source).program);
  return kept + source.slice(end);
}

/** Leaves out of the app and its worker what only the server reads of the contract. */
export function leaveOutServerFacts(): Plugin {
  return {
    name: 'leave-out-server-facts',
    apply: 'build',
    enforce: 'pre',
    transform: { filter: { id: CONTRACT }, handler: (code) => ({ code: withoutServerFacts(code), map: null }) },
  };
}
