/** Sends what a forked program found, and lets it end once that has been sent: disconnecting at once loses a large report. */
export function sendReport(report: object): void {
  process.send?.(report, () => process.disconnect?.());
}
