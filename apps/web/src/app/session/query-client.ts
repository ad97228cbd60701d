import { onWritten, session } from '#web/shared/api/client.ts';
import { createRequestCache } from './request-cache.ts';

/** The one request cache of this tab. */
export const queryClient = createRequestCache({ onSignedOut: session.onSignedOut, onWritten });
