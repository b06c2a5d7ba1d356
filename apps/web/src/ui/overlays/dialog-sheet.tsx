import { Dialog } from '@base-ui/react/dialog'
import { X } from 'lucide-react'
import { useRef, useState, type ReactNode } from 'react'
import { cn } from '#web/lib/cn.ts'
import { useText } from '#web/lib/i18n/use-text.ts'
import { useUnsaved } from '#web/lib/use-keep-typed.ts'
import { DiscardDialog } from './discard-dialog.tsx'
import { iconButtonClass } from '../icon-button.tsx'
import { useBackCloses } from './use-back-closes.ts'
import { useKeyboardHeight } from './use-keyboard-height.ts'

export interface DialogSheetProps {
  isOpen: boolean
  onClose: () => void
  title: string
  /** One line under the title. */
  description?: ReactNode
  children: ReactNode
  /** Actions; they stay at the bottom while the content scrolls, except in a low window. */
  footer?: ReactNode
  /** There is unsaved text: closing asks first. */
  isDirty?: boolean
  /** The text is on its way to the server: closing does not stop that. */
  isSaving?: boolean
  width?: 'narrow' | 'wide'
}

const widths = { narrow: 'sm:max-w-115', wide: 'sm:max-w-180' }

/** The field to focus when a form opens. Not on touch screens, where the keyboard would cover the form. */
const field = 'input:is([type=text], [type=email], [type=tel], [type=password], :not([type])), [role=combobox]'

/** Lets the keyboard scroll a text in which nothing can have the focus (WCAG 2.1.1): some browsers do not by themselves. */
function reachByKeys(box: HTMLElement) {
  const isText = box.querySelector('a, button, input, [tabindex]') === null
  if (isText && box.scrollHeight > box.clientHeight) box.tabIndex = 0
}

/** A sheet from the bottom on phones, a centred dialog on larger screens. Closing asks before unsaved text is lost. */
export function DialogSheet({
  isOpen,
  onClose,
  title,
  description,
  children,
  footer,
  isDirty = false,
  isSaving = false,
  width = 'narrow'
}: DialogSheetProps) {
  const t = useText()
  const [isAsking, setAsking] = useState(false)
  // It was saved meanwhile: nothing is left to ask about.
  if (isAsking && !isDirty) setAsking(false)
  const content = useRef<HTMLDivElement>(null)
  const close = () => (isDirty ? setAsking(true) : onClose())
  useBackCloses(isOpen, close)
  const keyboard = useKeyboardHeight(isOpen)
  useUnsaved(isOpen && isDirty)
  return (
    <Dialog.Root
      open={isOpen}
      onOpenChange={(open, details) => {
        if (open) return
        if (isDirty) details.cancel()
        close()
      }}
    >
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 z-40 bg-veil transition-opacity duration-240 data-ending-style:opacity-0 data-starting-style:opacity-0" />
        <Dialog.Viewport
          style={keyboard > 0 ? { paddingBottom: keyboard } : {}}
          className="fixed inset-0 z-50 grid grid-cols-[minmax(0,1fr)] items-end sm:place-items-center sm:p-6"
        >
          <Dialog.Popup
            style={keyboard > 0 ? { maxHeight: `calc(92dvh - ${keyboard}px)` } : {}}
            initialFocus={(openType) =>
              openType === 'touch' ? true : (content.current?.querySelector<HTMLElement>(field) ?? true)
            }
            className={cn(
              'flex max-h-[92dvh] w-full flex-col rounded-t-[28px] border-t border-line bg-raised shadow-float outline-none transition-[translate,scale,opacity] duration-240 ease-out',
              // In a low window, and above a keyboard in it, title and buttons would leave no room for the fields.
              'low:overflow-y-auto low:overscroll-contain',
              'data-ending-style:translate-y-full data-starting-style:translate-y-full',
              'sm:rounded-[28px] sm:border sm:data-ending-style:translate-y-0 sm:data-ending-style:scale-97 sm:data-ending-style:opacity-0 sm:data-starting-style:translate-y-0 sm:data-starting-style:scale-97 sm:data-starting-style:opacity-0',
              widths[width]
            )}
          >
            <div aria-hidden="true" className="mx-auto mt-2.5 h-1 w-10 shrink-0 rounded-full bg-edge/50 sm:hidden" />
            <div className="flex items-start gap-3 pt-3 pr-3 pb-2 pl-5 sm:pt-5 sm:pl-6">
              <div className="min-w-0 flex-1 pt-2">
                <Dialog.Title className="text-20 font-semibold">{title}</Dialog.Title>
                {description !== undefined && (
                  <Dialog.Description render={<div />} className="mt-1 text-14 text-ink-2">
                    {description}
                  </Dialog.Description>
                )}
              </div>
              <Dialog.Close className={iconButtonClass} aria-label={t('common.close')} title={t('common.close')}>
                <X size={20} />
              </Dialog.Close>
            </div>
            {/* Positioned, so that it also scrolls to the hidden radio button of a choice that gets the focus. */}
            <div
              ref={(box) => {
                content.current = box
                if (box !== null) reachByKeys(box)
              }}
              className="relative min-h-0 flex-1 overflow-y-auto -outline-offset-2 overscroll-contain low:flex-none low:overflow-visible px-5 pb-[max(1.25rem,env(safe-area-inset-bottom))] sm:px-6 sm:pb-6"
            >
              {children}
            </div>
            {footer !== undefined && (
              <div className="flex flex-wrap justify-end gap-2 border-t border-line px-5 pt-3 pb-[max(1rem,env(safe-area-inset-bottom))] sm:px-6">
                {footer}
              </div>
            )}
          </Dialog.Popup>
        </Dialog.Viewport>
      </Dialog.Portal>
      <DiscardDialog
        isOpen={isAsking}
        isSaving={isSaving}
        onKeep={() => setAsking(false)}
        onDiscard={() => {
          setAsking(false)
          onClose()
        }}
      />
    </Dialog.Root>
  )
}
