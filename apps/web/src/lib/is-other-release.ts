const timeoutMs = 5000

/**
 * Returns whether the server has another release than this page: then its page starts with another script, and this
 * page's files may be gone. False when the server does not answer.
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

/** Returns whether the server serves a file. */
export const isServed = (page: Window, path: string): Promise<boolean> =>
  look(page, path).then(
    ({ ok }) => ok,
    () => false
  )

const look = (page: Window, path: string): Promise<Response> =>
  page.fetch(path, { cache: 'no-store', signal: AbortSignal.timeout(timeoutMs) })
