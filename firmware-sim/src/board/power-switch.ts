import type { FirmwareProgress } from '@batti/contracts'
import type { PowerUp, PowerUpParts } from './power-up-parts.ts'
import { createPowerUp } from './power-up.ts'
import type { SetupSubject } from '../setup/setup-page.ts'
import { createSetupServer } from '../setup/setup-server.ts'
import { createSetupSite } from '../setup/setup-site.ts'

interface PlugOptions {
  /** The parts for each power-up. */
  parts: Omit<PowerUpParts, 'changed' | 'firmwareProgress' | 'reboot' | 'cutPower'>
  /** Where the setup page listens; null for no page. */
  setup: { host: string; port: number } | null
  subject: SetupSubject
  changed: () => void
}

/** Controls the power of a board: the running power-up, the setup page, and what is known of both without power. */
export function createPowerSwitch({ parts, setup, subject, changed }: PlugOptions) {
  const { flash, history, shared } = parts
  const { clock } = shared
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
    // The plug may have been pulled in the meantime.
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
    /** Progress or result of the last update; null when there was none. */
    firmware: (): FirmwareProgress | null => firmware,
    paired: (): boolean => paired,
    setupUrl: (): string | null => setupSite?.url() ?? null,
    /** Switches the power on. Resolves when the setup page listens; the boot continues in the background. */
    putIn,
    /** Cuts the power: no farewell is sent, and everything except the flash is lost. */
    pull,
    noteChange,
    /** Resets the known state after the flash was erased. */
    forget(): void {
      paired = false
      firmware = null
    },
    /** Shuts down cleanly. */
    async close(): Promise<void> {
      const stopping = power
      leave()
      await stopping?.stop()
      noteChange()
    }
  }
}
