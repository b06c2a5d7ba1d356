/** One row of results: the product's value, the baseline's value, and the goal. */
export interface Row {
  what: string
  unit: string
  ours: number
  /** The baseline's value; null if there is none. */
  against: number | null
  /** The maximum (`atMost`) or minimum (`atLeast`) of ours / against; null for no goal. */
  goal: { ratio: number; is: 'atMost' | 'atLeast' } | null
}

export interface Report {
  name: string
  /** One sentence: what was compared with what, and how. */
  about: string
  against: string
  rows: Row[]
  notes?: string[]
}

const ratioOf = ({ ours, against }: Row): number | null => (against === null || against === 0 ? null : ours / against)

/** Tells whether a row meets its goal; null without a goal. A ratio that could not be measured meets none. */
export function isMet(row: Row): boolean | null {
  if (row.goal === null) return null
  const ratio = ratioOf(row)
  if (ratio === null || !Number.isFinite(ratio)) return false
  return row.goal.is === 'atMost' ? ratio <= row.goal.ratio : ratio >= row.goal.ratio
}

const heads = (report: Report): string[] => ['', 'ours', report.against, 'ratio', 'goal', '']

function cells(row: Row): string[] {
  const ratio = ratioOf(row)
  const met = isMet(row)
  const sign = row.goal?.is === 'atMost' ? '≤' : '≥'
  return [
    row.what,
    `${figure(row.ours)} ${row.unit}`,
    row.against === null ? '' : `${figure(row.against)} ${row.unit}`,
    ratio === null ? '' : `${figure(ratio)}x`,
    row.goal === null ? '' : `${sign} ${row.goal.ratio}x`,
    met === null ? '' : met ? 'met' : 'missed'
  ]
}

/** Formats a value with three significant digits: 0.412, 3.91, 18.2, 9040. */
export function figure(value: number): string {
  if (!Number.isFinite(value)) return '?'
  const digits = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : Math.abs(value) >= 1 ? 2 : 3
  return value.toFixed(digits)
}

/** Formats a report for the terminal. */
export function textTable(report: Report): string {
  const lines = [heads(report), ...report.rows.map(cells)]
  const widths = heads(report).map((_, column) => Math.max(...lines.map((line) => (line[column] ?? '').length)))
  const body = lines.map((line) =>
    line
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0)))
      .join('  ')
  )
  return ['', report.name, report.about, '', ...body, ...(report.notes ?? []).map((note) => `  ${note}`)].join('\n')
}

/** Formats a report for docs/performance.md. */
export function markdownTable(report: Report): string {
  const line = (row: readonly string[]): string => `| ${row.join(' | ')} |`
  return [
    `**${report.name}**: ${report.about}`,
    '',
    line(heads(report)),
    line(['---', '---:', '---:', '---:', '---:', '---']),
    ...report.rows.map((row) => line(cells(row))),
    ...(report.notes ?? []).flatMap((note) => ['', note])
  ].join('\n')
}
