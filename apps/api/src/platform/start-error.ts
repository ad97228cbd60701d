/** A reason why the start ends that the operator can act on. The message is one line and is printed as it is. */
export class StartError extends Error {
  override readonly name = 'StartError';
}
