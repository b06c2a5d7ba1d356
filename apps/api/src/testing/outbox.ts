import { until } from '@batti/kit/testing'

/** Returns the mails to an address in a product's outbox, newest first. */
export async function outboxOf(url: string, email: string): Promise<{ subject: string; text: string }[]> {
  const answer = await fetch(`${url}/dev/outbox?to=${email}`, { headers: { accept: 'application/json' } })
  return (await answer.json()) as { subject: string; text: string }[]
}

/** Waits for the newest invitation and returns its token. */
export async function invitationOf(url: string, email: string): Promise<string> {
  const token = await until(`an invitation to ${email}`, async () => {
    const [mail] = await outboxOf(url, email)
    return /token=([^\s&]+)/.exec(mail?.text ?? '')?.[1]
  })
  return decodeURIComponent(token)
}
