const timeoutMs = 5000

/**
 * Whether the server has another release by now than this page is of: then its page starts with another script, and the files
 * of this one may be gone. False when it does not answer.
 */
export async function isOtherRelease(page: Window): Promise<boolean> {
  const own = page.document.querySelector('script[type="module"][src]')?.getAttribute('src')
  if (own === null || own === undefined) return false
  try {
    const answer = await look(page, '/')
    return answer.ok && !(await answer.text()).includes(`src="${own}"`)
  } catch {
    return false
  }
}

/** Whether the server gives out a file by now. */
export const isServed = (page: Window, path: string): Promise<boolean> =>
  look(page, path).then(
    ({ ok }) => ok,
    () => false
  )

const look = (page: Window, path: string): Promise<Response> =>
  page.fetch(path, { cache: 'no-store', signal: AbortSignal.timeout(timeoutMs) })
