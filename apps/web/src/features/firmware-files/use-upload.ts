import { uploadFirmwareFile } from '@batti/contracts'
import { skipToken, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { ApiError, errorMessage, fieldErrors, isCancelled } from '#web/lib/api/api-error.ts'
import { isUnanswered, readAgain } from '#web/lib/api/after-write.ts'
import { useChange } from '#web/lib/api/use-change.ts'
import { useText } from '#web/lib/i18n/use-text.ts'
import { notify } from '#web/lib/notify.ts'
import { useIsShown } from '#web/lib/use-is-shown.ts'
import { useServices } from '#web/lib/services.ts'
import { staffViews } from '#web/lib/records/staff-views.ts'
import { isKept } from './kept-image.ts'
import { secondsLeft, uploadFault } from './upload-fault.ts'

export interface UploadProgress {
  fraction: number
  /** Null while it cannot be estimated. */
  secondsLeft: number | null
}
/** The end of an upload that was not accepted. */
export interface UploadEnd {
  /** `unanswered` and `unclear`: all of it was sent, so the server may have kept it, whatever fault it reports. */
  kind: 'refused' | 'cancelled' | 'broken' | 'unanswered' | 'unclear'
  name: string
  reason: string
}

/** Kept in the query cache, because an upload continues while its person visits other pages. */
interface Sending {
  file: File
  progress: UploadProgress
  controller: AbortController
}
const sendingKey = ['firmware-upload']

function useSending() {
  const queryClient = useQueryClient()
  const { data } = useQuery<Sending | null>({ queryKey: sendingKey, queryFn: skipToken, gcTime: Infinity })
  return {
    sending: data ?? null,
    begin: (sending: Sending) => queryClient.setQueryData(sendingKey, sending),
    /** Ignored if another person has signed in meanwhile. */
    change: (controller: AbortController, progress: UploadProgress | null) =>
      queryClient.setQueryData<Sending | null>(sendingKey, (now) =>
        now?.controller !== controller ? now : progress === null ? null : { ...now, progress }
      )
  }
}

/** The upload of an image: chosen, in progress, accepted, or refused with a reason. */
export function useUpload() {
  const t = useText()
  const { api, clock } = useServices()
  const queryClient = useQueryClient()
  const upload = useChange(uploadFirmwareFile, staffViews.firmwareFiles)
  const [file, setFile] = useState<File | null>(null)
  const [isDraft, setDraft] = useState(false)
  const [end, setEnd] = useState<UploadEnd | null>(null)
  const { sending, begin, change } = useSending()
  const isShown = useIsShown()

  function choose(picked: File) {
    const fault = uploadFault(picked)
    setEnd(fault === null ? null : { kind: 'refused', name: picked.name, reason: t(fault) })
    setFile(fault === null ? picked : null)
    setDraft(false)
  }

  function succeed() {
    notify.success(t('files.uploadDone'))
    setFile(null)
  }

  async function start() {
    if (sending !== null) return
    if (file === null) return notify.error(t('files.pleaseChoose'))
    const state = isDraft ? 'draft' : 'released'
    const controller = new AbortController()
    const { signal } = controller
    const startedAt = clock.monotonic()
    let isSent = false
    setEnd(null)
    begin({ file, controller, progress: { fraction: 0, secondsLeft: null } })
    try {
      await upload({
        file,
        body: { state },
        signal,
        onUploadProgress: (fraction) => {
          isSent = fraction >= 1
          change(controller, { fraction, secondsLeft: secondsLeft(fraction, clock.monotonic() - startedAt) })
        }
      })
      succeed()
    } catch (error) {
      if (mayBeKept(error, isSent) && (await isKept(api, { file, state, signal }))) return succeed()
      const reason = fieldErrors(error)['firmware'] ?? errorMessage(error, t('files.uploadFailed')) ?? ''
      const kind = endOf(error, isSent)
      if (kind === 'unanswered') void readAgain(queryClient, staffViews.firmwareFiles)
      const ended = { kind, name: file.name, reason: sentence(reason) }
      // The upload may end while another page is open, which has no upload strip.
      if (isShown.current) setEnd(ended)
      else notify.error(endWords(t, ended))
      // An upload that was not refused, or only for now, can be repeated with the same file.
      if (kind === 'refused' && !isUnanswered(error) && !isTooMany(error)) setFile(null)
    } finally {
      change(controller, null)
    }
  }

  return {
    file: sending?.file ?? file,
    choose,
    isDraft,
    setDraft,
    progress: sending?.progress ?? null,
    end,
    start,
    cancel: () => sending?.controller.abort(),
    dismiss: () => setEnd(null)
  }
}
export type Upload = ReturnType<typeof useUpload>

/** Formats why an image was not accepted. */
export const endWords = (t: ReturnType<typeof useText>, { kind, name, reason }: UploadEnd): string =>
  t(`files.${kind}`, { name, reason })

/** Returns whether the image may be on the server: the answer was lost, now or when the same file was sent before. */
const mayBeKept = (error: unknown, isSent: boolean): boolean =>
  (isSent && isUnanswered(error)) || (error instanceof ApiError && error.code === 'CONFLICT')

const isTooMany = (error: unknown): boolean => error instanceof ApiError && error.code === 'TOO_MANY_REQUESTS'

function endOf(error: unknown, isSent: boolean): UploadEnd['kind'] {
  if (error instanceof ApiError && error.status > 0) return isSent && isUnanswered(error) ? 'unclear' : 'refused'
  if (isSent) return 'unanswered'
  return isCancelled(error) ? 'cancelled' : 'broken'
}

const sentence = (text: string) => (text === '' || /[.!?।]$/.test(text) ? text : `${text}.`)
