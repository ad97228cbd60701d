/**
 * Creates ids for the attempts to send a report. The same content keeps its id, so a retry is the same report; changed
 * content gets a new id, since the server would refuse it under the first.
 */
export function createReportIds(makeId: () => string): (said: string) => string {
  let last: { said: string; id: string } | null = null;
  return (said) => {
    if (last?.said !== said) last = { said, id: makeId() };
    return last.id;
  };
}
