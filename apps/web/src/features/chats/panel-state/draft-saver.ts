/**
 * The storage of drafts across page loads. `save` of '' deletes the draft and returns whether it succeeded; `load`
 * returns '' if there is no draft. Neither rejects.
 */
export interface DraftStorage {
  load(chat_id: string): Promise<string>;
  save(chat_id: string, text: string): Promise<boolean>;
}

interface DraftSaverDeps {
  getDraft(chat_id: string): string;
  /** True while the disk must not follow the draft; `save` is called again afterwards. */
  isPaused(chat_id: string): boolean;
  onSaved(): void;
}

/** Writes changed drafts to the disk: one write at a time per chat, always of the newest text. */
export function createDraftSaver(storage: DraftStorage, { getDraft, isPaused, onSaved }: DraftSaverDeps) {
  const unsaved = new Set<string>();
  const saving = new Set<string>();
  const saveUntilCurrent = async (chat_id: string) => {
    saving.add(chat_id);
    while (unsaved.has(chat_id) && !isPaused(chat_id)) {
      unsaved.delete(chat_id);
      if (await storage.save(chat_id, getDraft(chat_id))) continue;
      unsaved.add(chat_id);
      break;
    }
    saving.delete(chat_id);
    onSaved();
  };
  return {
    /** Call when the draft of this chat has changed. */
    save(chat_id: string): void {
      unsaved.add(chat_id);
      if (!saving.has(chat_id)) void saveUntilCurrent(chat_id);
    },
    hasUnsaved: (): boolean => unsaved.size > 0 || saving.size > 0,
    clear: (): void => unsaved.clear(),
  };
}
