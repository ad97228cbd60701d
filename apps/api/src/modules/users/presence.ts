/** Tells friends of what a change makes of where they see the user. */
export interface Presence {
  around<Value>(user_id: string, change: () => Promise<Value>): Promise<Value>;
}
