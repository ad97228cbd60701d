/**
 * Creates ids for the attempts to send a report. The same content keeps its id, so a retry is the same report; changed
 * content gets a new id, since the server would refuse it under the first.
 */
export function createReportIds(makeId: () => string): (content: string) => string {
  let last: { content: string; id: string } | null = null;
  return (content) => {
    if (last?.content !== content) last = { content, id: makeId() };
    return last.id;
  };
}
