import { z } from 'zod'
import type { Cluster } from '../../../platform/cluster/cluster.ts'
import type { DomainEvents, EventBus } from '../../../platform/events.ts'
import type { Engine } from './engine.ts'
import type { NotifyProgress } from './notify-progress.ts'
import type { NotifiedRollout } from '../rollout.model.ts'
import type { Runner } from './runner.ts'
import type { TakeProgress } from './take-progress.ts'
import type { TargetsRepository } from '../targets/targets.repository.ts'
import type { BoardWatch } from './watch-boards.ts'

/** The wait for storing that a board came online, so that the next pass sees it. */
const storedMs = 500
/** A command that another instance sent has failed: one instance compares versions for all. */
const commandFailed = z.object({ deviceId: z.string() })

/** Listens to progress, reconnects and other events of boards while a rollout is active. */
export function listenToBoards(deps: {
  events: EventBus
  cluster: Pick<Cluster, 'on' | 'publish'>
  targets: Pick<TargetsRepository, 'wake'>
  runner: Pick<Runner, 'hasActive'>
  engine: Pick<Engine, 'lookAtAnswered'>
  watch: Pick<BoardWatch, 'note'>
  takeProgress: TakeProgress
  whatItIs(rolloutId: string): Promise<NotifiedRollout | null>
  notify: NotifyProgress
  now(): number
}): void {
  const { events, cluster, targets, runner, engine, watch, takeProgress, whatItIs, notify, now } = deps

  async function onProgress({ deviceId, bootId, progress }: DomainEvents['firmware-progressed']): Promise<void> {
    const changed = await takeProgress(deviceId, progress, bootId)
    if (changed === null) return
    const rollout = await whatItIs(String(changed.rolloutId))
    if (rollout !== null) notify(rollout, changed)
  }

  events.on('firmware-progressed', onProgress)
  events.on('settings-answered', ({ deviceId, refusal }) =>
    runner.hasActive() ? engine.lookAtAnswered(deviceId, refusal) : undefined
  )
  events.on('device-online', async ({ deviceId }) => {
    if (!runner.hasActive()) return
    watch.note(deviceId, 'reconnects')
    await targets.wake(deviceId, new Date(now() + storedMs))
  })
  events.on('device-booted', ({ deviceId }) => (runner.hasActive() ? watch.note(deviceId, 'restarts') : undefined))
  events.on('command-ended', ({ deviceId, result }) => {
    if (!runner.hasActive() || result === 'confirmed' || result === 'offline') return
    watch.note(deviceId, 'failed')
    cluster.publish('command-failed', { deviceId }, { mayWait: true })
  })
  cluster.on('command-failed', commandFailed, ({ deviceId }) => watch.note(deviceId, 'failed'))
}
