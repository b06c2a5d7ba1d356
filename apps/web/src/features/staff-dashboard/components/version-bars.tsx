import { compareVersions, type FleetRecord } from '@batti/contracts'
import { Link } from 'react-router-dom'
import { VisuallyHidden } from '#web/ui/visually-hidden.tsx'
import { useText } from '#web/lib/i18n/use-text.ts'

/** Boards per version, by model, newest first; each bar links to those boards. */
export function VersionBars({ versions, listPath }: { versions: FleetRecord['versions']; listPath: string | null }) {
  const t = useText()
  const known = versions.filter(({ osVersion }) => osVersion !== '')
  const models = [...new Set(known.map(({ hwModel }) => hwModel))].toSorted()
  const most = Math.max(1, ...known.map(({ count }) => count))
  return (
    <section aria-labelledby="versions">
      <h2 id="versions" className="pb-2 text-16 font-semibold">
        {t('fleetPage.versions')}
      </h2>
      {models.length === 0 && <p className="text-14 text-ink-2">{t('fleetPage.noVersions')}</p>}
      {models.map((model) => (
        <div key={model} className="pb-3">
          <h3 className="font-mono text-12 text-ink-3">{model}</h3>
          <ul>
            {known
              .filter(({ hwModel }) => hwModel === model)
              .toSorted((a, b) => compareVersions(b.osVersion, a.osVersion))
              .map(({ osVersion, count }) => {
                const bar = (
                  <>
                    <span className="w-16 shrink-0 font-medium">
                      <VisuallyHidden>{model} </VisuallyHidden>
                      {osVersion}
                    </span>
                    <span className="flex-1">
                      <span
                        aria-hidden="true"
                        className="block h-2 rounded-full bg-edge/50"
                        style={{ width: `${Math.max(1, (count / most) * 100)}%` }}
                      />
                    </span>
                    <span className="w-24 text-right text-ink-2 tabular-nums">{t('fleetPage.boards', { count })}</span>
                  </>
                )
                const className = 'flex min-h-9 items-center gap-3 text-14 pointer-coarse:min-h-11'
                return (
                  <li key={osVersion}>
                    {listPath === null ? (
                      <div className={className}>{bar}</div>
                    ) : (
                      <Link
                        to={`${listPath}?${new URLSearchParams({ hwModel: model, osVersion }).toString()}`}
                        className={`${className} -mx-2 rounded-control px-2 hover:bg-well/60`}
                      >
                        {bar}
                      </Link>
                    )}
                  </li>
                )
              })}
          </ul>
        </div>
      ))}
    </section>
  )
}
