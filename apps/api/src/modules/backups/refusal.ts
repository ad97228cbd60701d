/** A backup that cannot be used, or a server that it cannot be restored to. The message is one line for the operator. */
export class BackupRefused extends Error {}
