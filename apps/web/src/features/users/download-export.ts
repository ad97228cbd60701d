import { ApiError } from '#web/shared/api/errors.ts';

export interface DownloadDeps {
  fetch: typeof globalThis.fetch;
  /** The server's origin, '' for our own. */
  base: string;
  /** Returns a bearer token other than `refused`, which the server rejected; null: none available. */
  token: (refused?: string) => Promise<string | null>;
  /** Cancels the download. */
  signal?: AbortSignal;
}

export interface Download {
  file: Blob;
  name: string;
}

/**
 * Downloads one of the two exports. They are files, not API calls: no envelope, and no time-out, as they may take long.
 * Throws ApiError: AUTH_REQUIRED, HTTP_ERROR (status 429: both of today's exports are used), NETWORK_ERROR (also if the
 * download broke off).
 */
export async function downloadExport(path: string, deps: DownloadDeps): Promise<Download> {
  const first = await deps.token();
  let response = await requestExport(path, first, deps);
  if (response.status === 401 && first !== null) response = await requestExport(path, await deps.token(first), deps);
  if (!response.ok) throw await toApiError(response);
  const file = await response.blob().catch((error: unknown) => {
    throw new ApiError({ code: 'NETWORK_ERROR', status: 0, cause: error });
  });
  return { file, name: fileNameOf(response, path) };
}

async function requestExport(
  path: string,
  token: string | null,
  { fetch, base, signal }: DownloadDeps,
): Promise<Response> {
  // After an abort the token may belong to another user.
  if (token === null || signal?.aborted) throw new ApiError({ code: 'AUTH_REQUIRED', status: 401 });
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

async function toApiError(response: Response): Promise<ApiError> {
  const { status } = response;
  if (status === 401) return new ApiError({ code: 'AUTH_REQUIRED', status });
  const body: unknown = await response.json().catch(() => null);
  const body_code = typeof body === 'object' && body !== null && 'code' in body ? body.code : null;
  const backend_error = typeof body_code === 'string' ? body_code : null;
  return new ApiError({ code: 'HTTP_ERROR', status, message: response.statusText, backend_error });
}

/** The file name from the server, without folders; else the last part of the path. */
function fileNameOf(response: Response, path: string): string {
  const header_name = /filename="?([^";]+)"?/i.exec(response.headers.get('content-disposition') ?? '')?.[1];
  const name = header_name?.split(/[/\\]/).at(-1)?.trim();
  return name || `sendlap-${path.split('/').at(-1)}${path.endsWith('.csv') ? '' : '.json'}`;
}
