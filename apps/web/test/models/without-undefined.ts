type Given<Facts> = { [Name in keyof Facts]: Exclude<Facts[Name], undefined> };

/** Returns a copy without the properties that are undefined. */
export function withoutUndefined<Facts extends object>(facts: Facts): Given<Facts> {
  return Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined)) as Given<Facts>;
}
