import { notify } from './notify.ts'

/** Copies a text to the clipboard, and says whether the browser did. */
export async function copyAndTell(text: string, words: { copied: string; failed: string }): Promise<void> {
  if (await copyText(text)) notify.success(words.copied)
  else notify.error(words.failed)
}

/**
 * Copies a text to the clipboard; without the Clipboard API (plain HTTP), by a selection and `execCommand`. Returns whether
 * the browser did it, which may require that the person has just pressed something.
 */
export async function copyText(text: string): Promise<boolean> {
  if (navigator.clipboard !== undefined)
    return navigator.clipboard.writeText(text).then(
      () => true,
      () => false
    )
  const field = document.createElement('textarea')
  field.value = text
  document.body.append(field)
  field.select()
  const isCopied = document.execCommand('copy')
  field.remove()
  return isCopied
}
