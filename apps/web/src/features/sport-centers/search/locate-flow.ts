import type { DevicePosition, PositionFailure } from '#web/shared/data/device-position.ts';
import { isPositionFailure } from '#web/shared/data/device-position.ts';

/** What the prompt shows: a reason, a failure, or nothing. */
export type LocatePrompt = 'ask' | PositionFailure | null;

export interface LocateState {
  prompt: LocatePrompt;
  is_busy: boolean;
}

interface LocateFlowDeps {
  readPermission(): Promise<PermissionState>;
  /**
   * The browser shows its prompt if the permission is undecided. Rejects with a PositionFailure; the result is ignored
   * after `signal`.
   */
  readPosition(signal: AbortSignal): Promise<DevicePosition>;
  onFound(position: DevicePosition): void;
  onChange(state: LocateState): void;
}

export interface LocateFlow {
  /** A tap on "where am I": explains first, unless the permission is already decided. */
  begin(): Promise<void>;
  /** The user has read the explanation and agrees. */
  share(): Promise<void>;
  /** "Not now": the result of a running lookup is dropped. */
  close(): void;
}

/** From the tap to a position or a failure. The browser's prompt comes only after the explanation. */
export function createLocateFlow({ readPermission, readPosition, onFound, onChange }: LocateFlowDeps): LocateFlow {
  let prompt: LocatePrompt = null;
  let controller = new AbortController();

  /** The latest request wins: results of earlier ones are dropped. */
  function beginRequest(): AbortSignal {
    controller.abort();
    controller = new AbortController();
    return controller.signal;
  }

  function update(next: LocatePrompt, is_busy = false): void {
    prompt = next;
    onChange({ prompt, is_busy });
  }

  async function locate(signal: AbortSignal): Promise<void> {
    update(prompt, true);
    try {
      const position = await readPosition(signal);
      if (signal.aborted) return;
      onFound(position);
      update(null);
    } catch (error) {
      if (!signal.aborted) update(isPositionFailure(error) ? error : 'unavailable');
    }
  }

  return {
    async begin() {
      const signal = beginRequest();
      const permission = await readPermission();
      if (signal.aborted) return;
      if (permission === 'granted') return locate(signal);
      update(permission === 'denied' ? 'denied' : 'ask');
    },
    share: () => locate(beginRequest()),
    close() {
      beginRequest();
      update(null);
    },
  };
}
