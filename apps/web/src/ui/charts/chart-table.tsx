import { useText } from '#web/lib/i18n/use-text.ts'

export interface ChartTableProps {
  /** Heads of the columns after the first. */
  heads: readonly string[]
  rows: readonly { name: string; values: readonly string[] }[]
}

/** A chart's numbers as a table, for people who cannot see the chart. */
export function ChartTable({ heads, rows }: ChartTableProps) {
  const t = useText()
  return (
    <details className="mt-1 text-12 text-ink-2">
      <summary className="inline-flex min-h-9 cursor-pointer items-center pointer-coarse:min-h-11">
        {t('chart.asTable')}
      </summary>
      <div className="overflow-x-auto">
        <table className="tabular-nums">
          {heads.length > 1 && (
            <thead>
              <tr>
                <th scope="col" className="text-left font-medium">
                  {t('chart.hour')}
                </th>
                {heads.map((head) => (
                  <th key={head} scope="col" className="pl-4 text-right font-medium">
                    {head}
                  </th>
                ))}
              </tr>
            </thead>
          )}
          <tbody>
            {rows.map(({ name, values }, place) => (
              <tr key={`${place} ${name}`}>
                <th scope="row" className="pr-4 text-left font-normal">
                  {name}
                </th>
                {values.map((value, index) => (
                  <td key={heads[index]} className="pl-4 text-right">
                    {value}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  )
}
