import type { messages as en } from '../en/devices.ts'

export const messages: Record<keyof typeof en, string> = {}
