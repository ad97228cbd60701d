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
  /** The browser asks the user where nothing was decided. Rejects with a PositionFailure; after `signal` nobody waits. */
  readPosition(signal: AbortSignal): Promise<DevicePosition>;
  onFound(position: DevicePosition): void;
  onChange(state: LocateState): void;
}

export interface LocateFlow {
  /** A tap on "where am I": explains first, unless that was decided before. */
  begin(): Promise<void>;
  /** The athlete has read why and wants it. */
  share(): Promise<void>;
  /** "Not now": what is still being looked up is told to nobody. */
  close(): void;
}

/** From the wish to be found to a position or a reason why not. The browser is asked only after the athlete was told why. */
export function createLocateFlow({ readPermission, readPosition, onFound, onChange }: LocateFlowDeps): LocateFlow {
  let prompt: LocatePrompt = null;
  let turn = new AbortController();

  /** The last wish counts; whatever the ones before still bring is not waited for any more. */
  function begin(): AbortSignal {
    turn.abort();
    turn = new AbortController();
    return turn.signal;
  }

  function show(next: LocatePrompt, is_busy = false): void {
    prompt = next;
    onChange({ prompt, is_busy });
  }

  async function look(signal: AbortSignal): Promise<void> {
    show(prompt, true);
    try {
      const position = await readPosition(signal);
      if (signal.aborted) return;
      onFound(position);
      show(null);
    } catch (error) {
      if (!signal.aborted) show(isPositionFailure(error) ? error : 'unavailable');
    }
  }

  return {
    async begin() {
      const signal = begin();
      const permission = await readPermission();
      if (signal.aborted) return;
      if (permission === 'granted') return look(signal);
      show(permission === 'denied' ? 'denied' : 'ask');
    },
    share: () => look(begin()),
    close() {
      begin();
      show(null);
    },
  };
}
