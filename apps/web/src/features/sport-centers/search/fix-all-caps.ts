/** Words that stay lower-case inside a street's name. */
const LOWERCASE_WORDS = /^(de|del|la|las|el|los|y|e|i|du|des|d|l|von|der|und|di|della)$/;

/** City registers often use all caps: 'CALLE DE LA FARMACIA 13' becomes 'Calle de la Farmacia 13'. Other text stays. */
export function fixAllCaps(text: string): string {
  if (text !== text.toUpperCase() || !/\p{Lu}{4}/u.test(text)) return text;
  return text.toLowerCase().replaceAll(/\p{L}+/gu, (word, at: number) => {
    if (at > 0 && LOWERCASE_WORDS.test(word)) return word;
    return word.charAt(0).toUpperCase() + word.slice(1);
  });
}
