import { BoardDrawing, exampleOutlets } from '#web/ui/board-drawing.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { LinkButton } from '#web/ui/link-button.tsx'
import { useText } from '#web/lib/i18n/use-text.ts'

/** Home before the first board. */
export function NoBoards() {
  const t = useText()
  return (
    <EmptyState
      title={t('home.noBoards')}
      body={t('home.noBoardsHint')}
      drawing={<BoardDrawing className="w-48" outlets={exampleOutlets()} />}
      action={
        <LinkButton to="/user/devices/new" reloadDocument>
          {t('devices.add')}
        </LinkButton>
      }
    />
  )
}
