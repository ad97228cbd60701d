import { onWritten, session } from '#web/shared/api/client.ts';
import { createRequestCache } from './request-cache.ts';

/** This tab's request cache. */
export const queryClient = createRequestCache({ onSignedOut: session.onSignedOut, onWritten });
