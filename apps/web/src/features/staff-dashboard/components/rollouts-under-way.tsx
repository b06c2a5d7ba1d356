import { listRollouts, type RolloutState } from '@batti/contracts'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router-dom'
import { useText } from '#web/lib/i18n/use-text.ts'
import { queryKeys } from '#web/lib/query-keys.ts'
import { firmwareTitle } from '#web/lib/records/firmware-title.ts'
import { useApi } from '#web/lib/services.ts'

const underWay = ['running', 'asking', 'paused', 'waiting-approval'] as const satisfies RolloutState[]
const shownMost = 20

/** Running rollouts and bulk changes; renders nothing if there are none. */
export function RolloutsUnderWay({ pathOf }: { pathOf: (page: string) => string | null }) {
  const t = useText()
  const api = useApi()
  const { data } = useQuery({
    queryKey: [...queryKeys.rollouts, 'under way'],
    queryFn: ({ signal }) =>
      api.call(listRollouts, { query: { state: underWay.join(','), limit: shownMost, sort: '-createdAt' }, signal })
  })
  const rollouts = data?.rollouts ?? []
  const all = pathOf('rollouts')
  if (rollouts.length === 0) return null
  return (
    <section aria-labelledby="under-way">
      <div className="flex min-h-11 items-center justify-between">
        <h2 id="under-way" className="text-16 font-semibold">
          {t('staff.rollouts')}
        </h2>
        {all !== null && (
          <Link to={all} className="inline-flex min-h-11 items-center text-14 font-medium text-accent hover:underline">
            {t('table.allOf', { name: t('staff.rolloutsShort') })}
          </Link>
        )}
      </div>
      <ul className="grid gap-3">
        {rollouts.map((rollout) => {
          const done = rollout.counts.done ?? 0
          const path = pathOf(`rollouts/${rollout._id}`)
          const name = rollout.kind === 'firmware' ? firmwareTitle(rollout) : t('staff.settings')
          return (
            <li key={rollout._id} className="text-14">
              <div className="flex justify-between gap-3">
                {path === null ? (
                  <span className="wrap-anywhere font-medium">{name}</span>
                ) : (
                  <Link to={path} className="wrap-anywhere font-medium underline-offset-4 hover:underline">
                    {name}
                  </Link>
                )}
                <span className={rollout.state === 'running' ? 'shrink-0 text-ink-2' : 'shrink-0 text-warn'}>
                  {t(`staff.rollout.${rollout.state}`)}
                </span>
              </div>
              <div className="mt-1.5 h-1.5 overflow-hidden rounded-full bg-well">
                <div
                  className="h-full rounded-full bg-accent"
                  style={{ width: `${rollout.total === 0 ? 0 : (done / rollout.total) * 100}%` }}
                />
              </div>
              <p className="pt-1 text-12 text-ink-3">{t('staff.doneOf', { done, total: rollout.total })}</p>
            </li>
          )
        })}
      </ul>
    </section>
  )
}
