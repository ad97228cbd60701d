/**
 * Ids for what is sent of one report: the same as long as it says the same, for then it is the same report however often it
 * is sent; another one for what was changed meanwhile, which the server would refuse under the first.
 */
export function createReportIds(makeId: () => string): (said: string) => string {
  let last: { said: string; id: string } | null = null;
  return (said) => {
    if (last?.said !== said) last = { said, id: makeId() };
    return last.id;
  };
}
