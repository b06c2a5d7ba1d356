import { LinesPart } from '#web/ui/lines-part.tsx'
import { TimeAgo } from '#web/ui/time-ago.tsx'
import { dotted } from '#web/lib/i18n/isolated.ts'
import { useText } from '#web/lib/i18n/use-text.ts'
import { useLogSentence } from '#web/lib/records/use-log-sentence.ts'
import { useBoardLog } from '../use-board.ts'

/** The latest changes on the board, by whom and from where. `all`: the path of the log filtered to this board. */
export function BoardLog({ deviceId, all }: { deviceId: string; all: string }) {
  const t = useText()
  const sentenceOf = useLogSentence()
  return (
    <LinesPart
      title={t('board.log')}
      query={useBoardLog(deviceId)}
      totalOf={({ total }) => total}
      all={all}
      failed={t('board.logFailed')}
      empty={t('board.noLog')}
      linesOf={({ logs }) =>
        logs.map((log) => ({
          id: log._id,
          title: sentenceOf(log),
          more: dotted(log.userName, t(`logs.from.${log.from}`)),
          end: <TimeAgo at={log.createdAt} />
        }))
      }
    />
  )
}
