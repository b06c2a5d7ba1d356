import { until } from './until.ts'

/** Returns the mails to an address in a product's outbox, newest first. */
export async function outboxOf(url: string, email: string): Promise<{ subject: string; text: string }[]> {
  const answer = await fetch(`${url}/dev/outbox?to=${email}`, { headers: { accept: 'application/json' } })
  return (await answer.json()) as { subject: string; text: string }[]
}

/** Waits for the newest invitation and returns its token. */
export async function invitationOf(url: string, email: string): Promise<string> {
  let token: string | undefined
  await until(async () => {
    const [mail] = await outboxOf(url, email)
    token = /token=([^\s&]+)/.exec(mail?.text ?? '')?.[1]
    return token !== undefined
  })
  return decodeURIComponent(token ?? '')
}
