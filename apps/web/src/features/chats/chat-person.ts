import type { ChatPerson } from '@sendlap/contract/chats.ts';
import type { ReactNode } from 'react';

/** Draws the profile card of whoever a chat is with; it belongs to another feature. */
export type RenderPerson = (person: ChatPerson, onClose: () => void) => ReactNode;
