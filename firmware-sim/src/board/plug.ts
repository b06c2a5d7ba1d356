import type { FirmwareProgress } from '@batti/contracts'
import type { PowerUp, PowerUpParts } from './power-up-parts.ts'
import { createPowerUp } from './power-up.ts'
import type { SetupSubject } from '../setup/setup-page.ts'
import { createSetupServer } from '../setup/setup-server.ts'
import { createSetupSite } from '../setup/setup-site.ts'

interface PlugOptions {
  /** What each power-up is given. */
  parts: Omit<PowerUpParts, 'changed' | 'firmwareProgress' | 'reboot' | 'cutPower'>
  /** Where the setup page listens; null: there is none. */
  setup: { host: string; port: number } | null
  subject: SetupSubject
  changed: () => void
}

/** A board's plug: what runs while it is in, the setup page beside that, and what is known of both while it is out. */
export function createPlug({ parts, setup, subject, changed }: PlugOptions) {
  const { flash, history, house } = parts
  const { clock } = house
  let power: PowerUp | null = null
  let firmware: FirmwareProgress | null = null
  let paired = flash.load().record.credentials !== null
  const setupSite = setup === null ? null : createSetupSite(setup, setupServer)

  function setupServer() {
    return createSetupServer({
      subject,
      endsAt: () => power?.status().setupEndsAt ?? null,
      now: () => clock.now(),
      accept: (form) => power?.configure(form) ?? false
    })
  }

  function noteChange(): void {
    if (power !== null) paired = power.record().credentials !== null
    changed()
  }

  function start(): void {
    power = createPowerUp({
      ...parts,
      changed: noteChange,
      firmwareProgress(progress) {
        firmware = progress
      },
      reboot: () => void reboot(),
      cutPower() {
        pull()
        void putIn()
      }
    })
    noteChange()
  }

  async function reboot(): Promise<void> {
    const before = power
    await before?.stop()
    // The plug may have been pulled meanwhile.
    if (power === before && before !== null) start()
  }

  async function putIn(): Promise<void> {
    if (power !== null) return
    history.add({ at: clock.now(), kind: 'event', what: 'power on' })
    start()
    if (setupSite === null) return
    await setupSite.open()
    noteChange()
  }

  function pull(): void {
    if (power === null) return
    power.cut()
    leave()
    history.add({ at: clock.now(), kind: 'event', what: 'power cut' })
    noteChange()
  }

  function leave(): void {
    power = null
    setupSite?.close()
  }

  return {
    /** Null without power. */
    power: (): PowerUp | null => power,
    /** How the last update went; null where there was none. */
    firmware: (): FirmwareProgress | null => firmware,
    paired: (): boolean => paired,
    setupUrl: (): string | null => setupSite?.url() ?? null,
    /** Resolves when the setup page listens; the rest of the start goes on by itself. */
    putIn,
    /** Nothing is said, everything but the flash is lost. */
    pull,
    noteChange,
    /** After the flash was erased. */
    forget(): void {
      paired = false
      firmware = null
    },
    /** Goes down in order. */
    async close(): Promise<void> {
      const stopping = power
      leave()
      await stopping?.stop()
      noteChange()
    }
  }
}
