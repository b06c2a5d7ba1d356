import { getAccount } from '@batti/contracts'
import { useEffect, useRef, useState } from 'react'
import { useConnectionStatus, useServices } from '#web/lib/services.ts'

/**
 * Returns whether something on the way, such as a proxy, blocks websockets: the server answers calls, and two rounds of
 * attempts to connect have failed. After the first round the server may just have restarted.
 */
export function useIsLineBlocked(): boolean {
  const { api, connection } = useServices()
  const status = useConnectionStatus()
  const rounds = useRef(0)
  const [isBlocked, setBlocked] = useState(false)
  // The next loss may have another cause.
  const isOver = status === 'live' || status === 'off'
  if (isOver && isBlocked) setBlocked(false)
  useEffect(() => {
    if (isOver) rounds.current = 0
    if (status !== 'lost') return undefined
    let isCurrent = true
    const hear = (isAnswered: boolean) => {
      if (!isCurrent) return
      rounds.current = isAnswered ? rounds.current + 1 : 0
      setBlocked(rounds.current > 1)
      if (rounds.current === 1) connection.reconnect()
    }
    api.call(getAccount).then(
      () => hear(true),
      () => hear(false)
    )
    return () => {
      isCurrent = false
    }
  }, [api, connection, status, isOver])
  return isBlocked && status === 'lost'
}
