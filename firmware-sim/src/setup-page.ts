import type { SetupForm } from '@batti/contracts'
import type { FormFault } from './setup-form.ts'
import type { SetupSubject } from './setup-server.ts'

export const formPage = (
  subject: SetupSubject,
  _leftMs: number,
  values = new Map<string, string>(),
  faults: FormFault[] = []
): string =>
  `<!doctype html><title>Set up</title><form method=post action=/setupconfig>${faults.map((fault) => escape(fault.message)).join(' ')}${[...values.keys()].length}${subject.mac}</form>`
export const acceptedPage = (subject: SetupSubject, form: SetupForm): string =>
  `<!doctype html><p>${subject.mac} ${escape(form.ssid)}`
export const closedPage = (subject: SetupSubject): string => `<!doctype html><p>${subject.mac}`
export const faultPage = (message: string): string => `<!doctype html><p>${escape(message)}`
const escape = (text: string): string => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)
