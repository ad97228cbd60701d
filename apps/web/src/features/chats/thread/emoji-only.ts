const MAX_EMOJI = 3;
/**
 * A character shown as emoji by default, or a pictograph with U+FE0F (emoji presentation); digits and plain signs do
 * not count.
 */
const IS_EMOJI = /\p{Emoji_Presentation}|\p{Extended_Pictographic}\uFE0F/u;
const HAS_TEXT = /[\p{L}\p{N}\p{P}]/u;

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** Whether a message is one to three emoji and nothing else; families and flags count as one. */
export function isEmojiOnly(text: string): boolean {
  // The longest emoji has 15 UTF-16 code units, a kiss with two skin tones; 40 leaves room for spaces.
  if (text.length > MAX_EMOJI * 40) return false;
  const signs = [...graphemes.segment(text)].map(({ segment }) => segment).filter((sign) => sign.trim() !== '');
  return (
    signs.length > 0 && signs.length <= MAX_EMOJI && signs.every((sign) => IS_EMOJI.test(sign) && !HAS_TEXT.test(sign))
  );
}
