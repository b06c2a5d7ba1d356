import { hasLevel, levelPercent, outletKinds, type LevelKind, type Outlet } from './outlets.ts'

/** The log sentence of a level, and the pattern that parses it, so that a screen can translate it. */
const levelSentences: Record<LevelKind, { write(name: string, level: number): string; pattern: RegExp }> = {
  fan: {
    write: (name, level) => `${name} speed set to ${level}`,
    pattern: /^(?<name>.*) speed set to (?<value>\d+)$/
  },
  dimmer: {
    write: (name, level) => `${name} set to ${levelPercent(level)} %`,
    pattern: /^(?<name>.*) set to (?<value>\d+) %$/
  }
}
const turnedPattern = /^(?<name>.*) turned (?<state>ON|OFF)$/

/**
 * Returns the sentence of an action log row: `Kitchen lamp turned ON`, `Ceiling fan speed set to 140`, `Bedside lamp set
 * to 40 %`. An outlet with a level that stayed on, or off, is described by its level.
 */
export function changeSentence(name: string, wasOn: boolean | undefined, { kind, on, level = 0 }: Outlet): string {
  if (hasLevel(kind) && wasOn === on) return levelSentences[kind].write(name, level)
  return `${name} turned ${on ? 'ON' : 'OFF'}`
}

export type ReadChange = { name: string; on: boolean } | { name: string; kind: LevelKind; value: number }

/** Parses such a sentence; null for any other. `value` is the number in it. */
export function readChangeSentence(sentence: string): ReadChange | null {
  const turned = turnedPattern.exec(sentence)?.groups
  if (turned !== undefined) return { name: turned['name'] ?? '', on: turned['state'] === 'ON' }
  for (const kind of outletKinds.filter(hasLevel)) {
    const level = levelSentences[kind].pattern.exec(sentence)?.groups
    if (level !== undefined) return { name: level['name'] ?? '', kind, value: Number(level['value']) }
  }
  return null
}
