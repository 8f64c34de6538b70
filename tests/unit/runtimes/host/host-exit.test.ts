import { describe, expect, it } from 'vitest'
import { onHostExit } from '../../../../runtimes/host/host-exit.ts'

describe('actions at the exit of the host', () => {
  it('[K4] share one listener of the process, and leave none behind', () => {
    const before = process.listenerCount('exit')
    const done: number[] = []
    const action = () => void done.push(0)
    const undo = Array.from({ length: 20 }, () => onHostExit(action))
    expect(process.listenerCount('exit')).toBe(before + 1)
    const ours = process.listeners('exit').at(-1) as () => void
    ours()
    expect(done).toHaveLength(20)
    for (const takeBack of undo) takeBack()
    undo[0]?.()
    expect(process.listenerCount('exit')).toBe(before)
  })
})
