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
