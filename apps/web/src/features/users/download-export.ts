import { ApiError } from '#web/shared/api/errors.ts';

export interface DownloadDeps {
  fetch: typeof globalThis.fetch;
  /** Origin of the server, '' for our own. */
  base: string;
  /** A bearer token; another one than `refused`, which did not work. null: there is none. */
  token: (refused?: string) => Promise<string | null>;
  /** Ends the download. */
  signal?: AbortSignal;
}

export interface Download {
  file: Blob;
  name: string;
}

/**
 * Fetches one of the two exports, which are files and no calls: no envelope, and no time-out, for they may be long.
 * Throws ApiError: AUTH_REQUIRED, HTTP_ERROR (status 429: both of today are used), NETWORK_ERROR (also when the file
 * broke off).
 */
export async function downloadExport(path: string, deps: DownloadDeps): Promise<Download> {
  const first = await deps.token();
  let response = await ask(path, first, deps);
  if (response.status === 401 && first !== null) response = await ask(path, await deps.token(first), deps);
  if (!response.ok) throw await refusalOf(response);
  const file = await response.blob().catch((error: unknown) => {
    throw new ApiError({ code: 'NETWORK_ERROR', status: 0, cause: error });
  });
  return { file, name: nameOf(response, path) };
}

async function ask(path: string, token: string | null, { fetch, base, signal }: DownloadDeps): Promise<Response> {
  // A token that came after the end may be somebody else's.
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

async function refusalOf(response: Response): Promise<ApiError> {
  const { status } = response;
  if (status === 401) return new ApiError({ code: 'AUTH_REQUIRED', status });
  const body: unknown = await response.json().catch(() => null);
  const told = typeof body === 'object' && body !== null && 'code' in body ? body.code : null;
  const backend_error = typeof told === 'string' ? told : null;
  return new ApiError({ code: 'HTTP_ERROR', status, message: response.statusText, backend_error });
}

/** What the server calls the file, without any folder; else the last part of the path. */
function nameOf(response: Response, path: string): string {
  const told = /filename="?([^";]+)"?/i.exec(response.headers.get('content-disposition') ?? '')?.[1];
  const name = told?.split(/[/\\]/).at(-1)?.trim();
  return name || `sendlap-${path.split('/').at(-1)}${path.endsWith('.csv') ? '' : '.json'}`;
}
