/** The id of the field in which a message is written; there is one at most. */
export const WRITING_FIELD = 'chat-writing-field';
