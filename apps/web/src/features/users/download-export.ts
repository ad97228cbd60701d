import { ApiError } from '#web/shared/api/errors.ts';

export interface DownloadDeps {
  fetch: typeof globalThis.fetch;
  /** The server's origin, '' for our own. */
  base: string;
  /** Returns a bearer token other than `refused`, which the server rejected; null: none available. */
  token: (refused?: string) => Promise<string | null>;
  /** Returns the error of a refused download; it may end the session. */
  handleRefusal: (response: Response, token: string) => Promise<ApiError>;
  /** Cancels the download. */
  signal?: AbortSignal;
}

export interface Download {
  file: Blob;
  name: string;
}

/**
 * Downloads one of the two exports. They are files, not API calls: no envelope, and no time-out, as they may take long.
 * Throws ApiError: AUTH_REQUIRED, REAUTH_REQUIRED, HTTP_ERROR (status 429: both of today's exports are used), NETWORK_ERROR (also if the
 * download broke off).
 */
export async function downloadExport(path: string, deps: DownloadDeps): Promise<Download> {
  let token = await takeToken(deps);
  let response = await requestExport(path, token, deps);
  if (response.status === 401) {
    token = await takeToken(deps, token);
    response = await requestExport(path, token, deps);
  }
  if (!response.ok) throw await deps.handleRefusal(response, token);
  const file = await response.blob().catch((error: unknown) => {
    throw new ApiError({ code: 'NETWORK_ERROR', status: 0, cause: error });
  });
  return { file, name: fileNameOf(response, path) };
}

async function takeToken({ token, signal }: DownloadDeps, refused?: string): Promise<string> {
  const taken = await token(refused);
  // After an abort the token may belong to another user.
  if (taken === null || signal?.aborted) throw new ApiError({ code: 'AUTH_REQUIRED', status: 401 });
  return taken;
}

async function requestExport(path: string, token: string, { fetch, base, signal }: DownloadDeps): Promise<Response> {
  try {
    return await fetch(base + path, {
      headers: { authorization: `Bearer ${token}` },
      credentials: 'include',
      cache: 'no-store',
      signal,
    });
  } catch (error) {
    throw new ApiError({ code: 'NETWORK_ERROR', status: 0, cause: error });
  }
}

/** The file name from the server, without folders; else the last part of the path. */
function fileNameOf(response: Response, path: string): string {
  const header_name = /filename="?([^";]+)"?/i.exec(response.headers.get('content-disposition') ?? '')?.[1];
  const name = header_name?.split(/[/\\]/).at(-1)?.trim();
  return name || `sendlap-${path.split('/').at(-1)}${path.endsWith('.csv') ? '' : '.json'}`;
}
