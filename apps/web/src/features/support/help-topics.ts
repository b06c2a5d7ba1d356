import { CircleUserRound, PlugZap, RefreshCw, Wifi, type LucideIcon } from 'lucide-react'
import type { MessageId } from '#web/i18n/message-id.ts'

export interface HelpTopic {
  /** The last part of its path. */
  slug: 'setup' | 'wifi-issues' | 'device-sync' | 'account'
  icon: LucideIcon
  title: MessageId
  short: MessageId
  intro: MessageId
  /** Each has a text with the same id and `.body`. Steps are numbered, questions are not. */
  kind: 'steps' | 'questions'
  entries: readonly { title: MessageId; body: MessageId }[]
}

const numbers = [1, 2, 3, 4, 5] as const
const entriesOf = (area: 'setup' | 'wifi' | 'sync' | 'account') =>
  numbers.map((number) => ({ title: `topic.${area}.${number}`, body: `topic.${area}.${number}.body` }) as const)

/** The four topics of the help page. */
export const helpTopics: readonly HelpTopic[] = [
  {
    slug: 'setup',
    icon: PlugZap,
    title: 'support.setup',
    short: 'support.setup.short',
    intro: 'topic.setup.intro',
    kind: 'steps',
    entries: entriesOf('setup')
  },
  {
    slug: 'wifi-issues',
    icon: Wifi,
    title: 'support.wifi',
    short: 'support.wifi.short',
    intro: 'topic.wifi.intro',
    kind: 'questions',
    entries: entriesOf('wifi')
  },
  {
    slug: 'device-sync',
    icon: RefreshCw,
    title: 'support.sync',
    short: 'support.sync.short',
    intro: 'topic.sync.intro',
    kind: 'questions',
    entries: entriesOf('sync')
  },
  {
    slug: 'account',
    icon: CircleUserRound,
    title: 'support.account',
    short: 'support.account.short',
    intro: 'topic.account.intro',
    kind: 'questions',
    entries: entriesOf('account')
  }
]
