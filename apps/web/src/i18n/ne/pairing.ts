import type { messages as en } from '../en/pairing.ts'

export const messages: Record<keyof typeof en, string> = {}
