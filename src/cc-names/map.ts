// Claude Code's tool names and the names under which a harness registers the same tools (contract N1, N2). Data only;
// translate.ts reads it.

/** Claude Code name to the harness tools that it stands for. Without a prototype: `constructor` is no entry. */
export const CC_TO_HARNESS_TOOLS: Readonly<Record<string, readonly string[]>> = freezeTable({
  Read: ['read', 'read_image'],
  Write: ['write'],
  Edit: ['edit'],
  MultiEdit: ['edit'],
  NotebookEdit: ['NotebookEdit'],
  Bash: ['bash'],
  BashOutput: ['job_output'],
  KillBash: ['job_kill'],
  Grep: ['grep'],
  Glob: ['glob'],
  WebFetch: ['web_fetch'],
  WebSearch: ['web_search'],
  TodoWrite: ['todo_write'],
  Task: ['subagent', 'subagent_fork'],
  Skill: ['skill'],
  AskUserQuestion: ['ask_user_question'],
  ExitPlanMode: ['exit_plan_mode'],
  Workflow: ['workflow'],
  Sleep: ['Sleep'],
  ToolSearch: ['ToolSearch'],
  EnterWorktree: ['EnterWorktree'],
  ExitWorktree: ['ExitWorktree'],
})

/** Names that a harness may register: those that the map leads to, and those that Claude Code has no name for. */
export const KNOWN_HARNESS_TOOLS: ReadonlySet<string> = new Set([
  ...Object.values(CC_TO_HARNESS_TOOLS).flat(),
  'create_goal',
  'get_goal',
  'update_goal',
  'interrupt_agent',
  'list_agents',
  'send_message',
  'job_list',
  'ralph',
])

function freezeTable(entries: Record<string, readonly string[]>): Readonly<Record<string, readonly string[]>> {
  const table: Record<string, readonly string[]> = Object.create(null)
  for (const [name, tools] of Object.entries(entries)) table[name] = Object.freeze([...tools])
  return Object.freeze(table)
}
