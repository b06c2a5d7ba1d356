import type { AclRule } from '@batti/contracts'

/** The permissions of one connection, compiled once at CONNECT so that a message costs one set lookup. */
export interface Acl {
  publish: (topic: string) => boolean
  /** True only for a filter that its rules contain verbatim. */
  subscribe: (filter: string) => boolean
  /** Whether a message of this topic may be delivered to it. Defense in depth, behind the check of the subscription. */
  receive: (topic: string) => boolean
}

interface Rule {
  readonly allow: boolean
  readonly topic: string
  readonly levels: readonly string[] | null
}

/**
 * Compiles the hook's rules. As in EMQX the first rule that matches decides, and nothing is allowed without one. A rule
 * without a wildcard is string equality; `+` and `#` match as MQTT filters do (MQTT 3.1.1 §4.7), but never a `$` topic,
 * which no client of this broker may touch at all.
 */
export function compileAcl(rules: readonly AclRule[]): Acl {
  const publish = compile(rules.filter((rule) => rule.action === 'publish'))
  const subscribe = rules.filter((rule) => rule.action === 'subscribe')
  const filters = new Set<string>()
  for (const { topic } of subscribe) {
    const first = subscribe.find((rule) => topicMatches(rule.topic.split('/'), topic))
    if (first?.permission === 'allow' && !topic.startsWith('$')) filters.add(topic)
  }
  return { publish, subscribe: (filter) => filters.has(filter), receive: compile(subscribe) }
}

function compile(source: readonly AclRule[]): (topic: string) => boolean {
  const rules = source.map(({ permission, topic }): Rule => {
    return { allow: permission === 'allow', topic, levels: isWild(topic) ? topic.split('/') : null }
  })
  const exact = new Set<string>()
  rules.forEach((rule, index) => {
    const free = rule.allow && rule.levels === null && !rule.topic.startsWith('$')
    if (free && !rules.slice(0, index).some((earlier) => ruleMatches(earlier, rule.topic))) exact.add(rule.topic)
  })
  const ordered = rules.filter((rule) => rule.levels !== null || !rule.allow)
  if (!ordered.some((rule) => rule.allow)) return (topic) => exact.has(topic)
  return (topic) => {
    if (exact.has(topic)) return true
    if (topic.charCodeAt(0) === dollar) return false
    for (const rule of ordered) if (ruleMatches(rule, topic)) return rule.allow
    return false
  }
}

const dollar = 36

const isWild = (topic: string): boolean => topic.includes('+') || topic.includes('#')

function ruleMatches(rule: Rule, topic: string): boolean {
  return rule.levels === null ? rule.topic === topic : topicMatches(rule.levels, topic)
}

/** Matches an MQTT filter without splitting the topic, because it runs for every message that the api publishes. */
function topicMatches(levels: readonly string[], topic: string): boolean {
  let from = 0
  for (let index = 0; index < levels.length; index += 1) {
    const level = levels[index]
    if (level === '#') return true
    // `a/#` also matches `a` itself: the topic ended one level before.
    if (from > topic.length) return false
    const slash = topic.indexOf('/', from)
    const to = slash === -1 ? topic.length : slash
    if (level !== '+' && (level === undefined || to - from !== level.length || !topic.startsWith(level, from)))
      return false
    from = to + 1
  }
  return from > topic.length
}
