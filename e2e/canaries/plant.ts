import type { BrowserContext, Page } from '@playwright/test';

/** The mistake that a planted page makes with each text of a canary. */
export type Mistake = 'markup' | 'link' | 'code';

/** From now on, the pages of the context take the texts that they show for markup, for addresses or for code. */
export async function plantMistake(context: BrowserContext, mistake: Mistake): Promise<void> {
  await context.addInitScript(makeMistake, mistake);
}

/** Returns the marks of the canaries with which the page made the mistake. */
export async function listMistaken(page: Page): Promise<Set<number>> {
  const marks = await page
    .locator('[data-mistaken]')
    .evaluateAll((elements) => elements.map((element) => (element as HTMLElement).dataset.mistaken));
  return new Set(marks.map(Number));
}

/** Runs in the page. */
function makeMistake(mistake: Mistake): void {
  const CANARY = /(?:hit\(|canary\/)(\d+)/;
  const asMarkup = (text: string) => document.createRange().createContextualFragment(text);
  const asLink = (text: string) => {
    const markdown = /^\[.*?\]\((.*)\)$/.exec(text)?.[1];
    // A quote ends the attribute only where the link is written as markup.
    if (text.includes('"')) return asMarkup(`<a href="${text}">x</a>`);
    const link = document.createElement('a');
    link.href = markdown ?? text;
    return link;
  };
  const runAsCode = (text: string) => {
    const braces = /^\{\{(.*)\}\}$/.exec(text)?.[1];
    const sources = [braces ?? '', `return \`${text}\``, `x = {"a": "${text}"}`];
    for (const source of sources) {
      try {
        new Function('x', source)();
      } catch {
        // It is no code of this kind, or the policy refuses it.
      }
    }
  };
  const mistakeText = (node: Node) => {
    const parent = node.parentElement;
    const text = node.nodeValue?.trim() ?? '';
    const mark = CANARY.exec(text)?.[1];
    if (!parent || !mark || parent.closest('[data-mistaken], script, style')) return;
    parent.dataset.mistaken = mark;
    if (mistake === 'code') return runAsCode(text);
    try {
      parent.replaceChildren(mistake === 'markup' ? asMarkup(text) : asLink(text));
    } catch {
      // The policy refuses it.
    }
  };
  const mistakeAll = () => {
    const walker = document.createTreeWalker(document, NodeFilter.SHOW_TEXT);
    const nodes: Node[] = [];
    while (walker.nextNode()) nodes.push(walker.currentNode);
    for (const node of nodes) mistakeText(node);
  };
  new MutationObserver(mistakeAll).observe(document, { childList: true, subtree: true, characterData: true });
}
