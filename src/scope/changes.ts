// Registrations that announce themselves (contract C10): applied, announced, and taken back when a listener objects.
// Every registration is an effect of the calling fiber, so it leaves with that fiber and a composite effect can yield it.
import type { Context } from '@deepseek-ai/cordis'
import { containRejection, emitEach } from './delivery.ts'

/** How changes are announced. */
export interface ChangeHost {
  /** Tells listeners of a registration; what one of them throws rolls the registration back. */
  emitChange(): void
  /** Tells every listener of an undo or a disposal, and logs what they throw. Default: `emitChange`, with its throw logged. */
  emitUndo?(): void
  log(error: unknown): void
}

/** The usual host: an unfiltered Cordis event without arguments. */
export function eventChangeHost(ctx: Context, event: string, log: (error: unknown) => void): ChangeHost {
  return {
    emitChange() {
      for (const listener of ctx.events.dispatch('emit', [event])) containRejection(listener(), log)
    },
    emitUndo() {
      emitEach(ctx, undefined, event, [], log)
    },
    log,
  }
}

/** Counts and announces the changes of one registry. */
export class Changes {
  private readonly host: ChangeHost
  private count = 0

  constructor(host: ChangeHost) {
    this.host = host
  }

  /** Rises with every change; what is derived from the registry is cached by it. */
  get version(): number {
    return this.count
  }

  /**
   * Applies a change as an effect of `ctx`'s fiber and announces it. `apply` gives the function that takes it back.
   * Returns the effect's own disposer. Throws what a listener throws, after taking the change back and saying so once more.
   */
  register(ctx: Context, label: string, apply: () => () => unknown): () => void {
    return ctx.effect(() => {
      const undo = apply()
      this.count += 1
      try {
        this.host.emitChange()
      } catch (error) {
        this.takeBack(undo)
        throw error
      }
      return () => this.takeBack(undo)
    }, label)
  }

  private takeBack(undo: () => unknown): void {
    undo()
    this.count += 1
    try {
      if (this.host.emitUndo !== undefined) this.host.emitUndo()
      else this.host.emitChange()
    } catch (error) {
      this.host.log(error)
    }
  }
}
