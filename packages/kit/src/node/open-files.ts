import { isRecord } from '../json.ts'

/** Returns how many files this process may open; undefined if that is unknown or unlimited. */
export function openFilesMax(): number | undefined {
  // Without this option, the report resolves the host name of every connected peer.
  Object.assign(process.report, { excludeNetwork: true })
  const report: unknown = process.report.getReport()
  const limits = isRecord(report) ? report['userLimits'] : undefined
  const files = isRecord(limits) ? limits['open_files'] : undefined
  return isRecord(files) && typeof files['soft'] === 'number' ? files['soft'] : undefined
}
