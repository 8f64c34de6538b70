import type { ContractSection } from './clause.ts'

export const N: ContractSection = {
  letter: 'N',
  title: 'Claude Code tool names (`cc-names`)',
  clauses: [
    {
      id: 'N1',
      text:
        "`CC_TO_HARNESS_TOOLS` (one-to-many), `KNOWN_HARNESS_TOOLS`, `translateToolNames(names, 'strict' | 'lenient', " +
        'onDiagnostic?)`, `ccToolAliases(name)`, `ccCanonicalToolName(name)`.',
      status: 'held',
    },
    {
      id: 'N2',
      text:
        'The map: Read→read, read_image; Write→write; Edit→edit; MultiEdit→edit; NotebookEdit→NotebookEdit; ' +
        'Bash→bash; BashOutput→job_output; KillBash→job_kill; Grep→grep; Glob→glob; WebFetch→web_fetch; ' +
        'WebSearch→web_search; TodoWrite→todo_write; Task→subagent, subagent_fork; Skill→skill; ' +
        'AskUserQuestion→ask_user_question; ExitPlanMode→exit_plan_mode; Workflow→workflow; and Sleep, ToolSearch, ' +
        'EnterWorktree, ExitWorktree to themselves. Known harness names: those values and create_goal, get_goal, ' +
        'update_goal, interrupt_agent, list_agents, send_message, job_list, ralph.',
      status: 'held',
    },
    {
      id: 'N3',
      text:
        '`strict` passes unknown names through, so that `restrict` fails; `lenient` drops them with a diagnostic each ' +
        'and gives `undefined`, with a diagnostic, when none is left. A parenthesized argument part is stripped ' +
        '(`Bash(git status)` → `bash`). Order of first occurrence, no duplicates.',
      status: 'held',
    },
    {
      id: 'N4',
      text:
        "`ccToolAliases('read')` is `['read', 'Read']`, `('edit')` `['edit', 'Edit', 'MultiEdit']`, `('Bash')` " +
        "`['Bash', 'bash']`, an unknown name itself alone. `ccCanonicalToolName('subagent')` is `Task`; a name " +
        'without an alias is returned as it is. Names such as `constructor` are ordinary unknown names.',
      status: 'held',
    },
  ],
}
