//! The ways in which models write a call as text, one row each: what opens it, how its arguments are written, what closes it.
//!
//! A family that differs from another only in its marks is a row and nothing else. The table of `docs/toolcalls.md` is written from these rows.

/// One way to write a call.
#[derive(Debug)]
pub(crate) struct Family {
    pub(crate) name: &'static str,
    /// What opens a call. Empty where nothing but its shape says that it is one.
    pub(crate) opens: &'static [&'static str],
    /// What closes a call, any one of them.
    pub(crate) closes: &'static [&'static str],
    pub(crate) closing: Closing,
    pub(crate) form: Form,
    /// A call as the family writes it.
    pub(crate) example: &'static str,
    /// Models that write it.
    pub(crate) models: &'static str,
}

impl Family {
    /// Whether a mark, and not only its shape, says that it is a call.
    pub(crate) fn is_marked(&self) -> bool {
        !self.opens.is_empty()
    }
}

/// Whether the closing mark must be there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Closing {
    Needed,
    /// It is the token that ends the answer, or there is none.
    Free,
}

/// How a call is written behind its opening mark.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    /// JSON that holds the name: an object, a list, several.
    Values,
    /// Anything: JSON, pairs, lines of Python, or tags of another family.
    Wrapper,
    /// The name, then its arguments as a JSON object.
    Named(Naming),
    /// `<function=NAME>` or `<invoke name="NAME">` with a tag for each argument.
    Tagged(Tags),
    /// Calls as Python writes them, in a list or one a line.
    Python,
    /// `call:NAME{key:value}` with texts between marks.
    Braced(&'static str),
    /// JSON in a code fence.
    Fence(Fenced),
    /// The whole answer is the call, and no mark says so.
    Whole,
    /// A tag with the name of a tool, and in it a tag for each argument.
    ToolTag,
}

/// Where the name stands in front of a JSON object.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Naming {
    /// `NAME`, `NAME[ARGS]`, `NAME[CALL_ID]id[ARGS]`; or a list of JSON objects.
    Mistral,
    /// `KIND<sep>NAME` and a fence, or `NAME<sep>`.
    DeepSeek,
    /// `functions.NAME:0<|tool_call_argument_begin|>`.
    Kimi,
    /// `commentary to=functions.NAME <|constrain|>json<|message|>`.
    Harmony,
}

/// Which labels of a fence say that a call is in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fenced {
    /// `json` or none: only where fences of calls are the whole answer.
    Json,
    /// `tool_call` and the like: prose may stand before it.
    Call,
    /// `tool_code`: calls as Python writes them.
    Code,
}

/// The tags of a family that has one for each argument.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Tags {
    /// Before the name of an argument.
    pub(crate) argument: &'static str,
    pub(crate) argument_close: &'static str,
    pub(crate) call_close: &'static str,
    pub(crate) spelled: Spelled,
}

/// How values in tags are read. None of these forms is XML, and none of their own parsers decodes entities.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Spelled {
    /// One line break at either end belongs to the template.
    Lines,
    /// As it stands, but for a line break at both ends.
    Block,
    /// As it stands.
    Plain,
    /// Key and value each in a tag of its own; what the schema does not know is read as JSON where it is JSON.
    Pairs,
}

const INVOKE: Tags = Tags {
    argument: "<parameter name=",
    argument_close: "</parameter>",
    call_close: "</invoke>",
    spelled: Spelled::Block,
};

pub(super) const PAIRS: Tags = Tags {
    argument: "<arg_key>",
    argument_close: "</arg_value>",
    call_close: "</tool_call>",
    spelled: Spelled::Pairs,
};

pub(crate) const FAMILIES: &[Family] = &[
    Family {
        name: "hermes",
        opens: &["<tool_call>"],
        closes: &["</tool_call>"],
        closing: Closing::Needed,
        form: Form::Wrapper,
        example: r#"<tool_call>{"name": "read", "arguments": {"path": "a"}}</tool_call>"#,
        models: "Hermes, Qwen 2.5 and 3, Ernie 4.5, Granite 4, with pairs GLM 4.5 and later",
    },
    Family {
        name: "tools",
        opens: &["<tools>"],
        closes: &["</tools>", "<tools>"],
        closing: Closing::Needed,
        form: Form::Values,
        example: r#"<tools>{"name": "read", "arguments": {"path": "a"}}</tools>"#,
        models: "Qwen 2.5 Coder",
    },
    Family {
        name: "tool_calls",
        opens: &["<tool_calls>"],
        closes: &["</tool_calls>"],
        closing: Closing::Needed,
        form: Form::Wrapper,
        example: r#"<tool_calls>[{"name": "read", "arguments": {"path": "a"}}]</tool_calls>"#,
        models: "Hunyuan A13B, Jamba, MiniMax M1",
    },
    Family {
        name: "qwen-coder",
        opens: &["<function="],
        closes: &["</function>"],
        closing: Closing::Needed,
        form: Form::Tagged(Tags {
            argument: "<parameter=",
            argument_close: "</parameter>",
            call_close: "</function>",
            spelled: Spelled::Lines,
        }),
        example: "<function=read><parameter=path>a</parameter></function>",
        models: "Qwen 3 Coder and later, Nemotron, Seed OSS, Step 3.5, MiMo; with a JSON object Llama 3 and Functionary",
    },
    Family {
        name: "invoke",
        opens: &["<invoke name="],
        closes: &["</invoke>"],
        closing: Closing::Needed,
        form: Form::Tagged(INVOKE),
        example: r#"<invoke name="read"><parameter name="path">a</parameter></invoke>"#,
        models: "MiniMax M2, Dots",
    },
    Family {
        name: "dsml",
        opens: &["<｜DSML｜invoke name="],
        closes: &["</｜DSML｜invoke>"],
        closing: Closing::Needed,
        form: Form::Tagged(Tags {
            argument: "<｜DSML｜parameter name=",
            argument_close: "</｜DSML｜parameter>",
            call_close: "</｜DSML｜invoke>",
            spelled: Spelled::Plain,
        }),
        example: r#"<｜DSML｜invoke name="read"><｜DSML｜parameter name="path" string="true">a</｜DSML｜parameter></｜DSML｜invoke>"#,
        models: "DeepSeek V3.2 and V4",
    },
    Family {
        name: "mistral",
        opens: &["[TOOL_CALLS]"],
        closes: &[],
        closing: Closing::Free,
        form: Form::Named(Naming::Mistral),
        example: r#"[TOOL_CALLS]read[ARGS]{"path": "a"}"#,
        models: "Mistral, Devstral, Ministral, Magistral",
    },
    Family {
        name: "llama",
        opens: &["<|python_tag|>"],
        closes: &["<|eom_id|>", "<|eot_id|>"],
        closing: Closing::Free,
        form: Form::Values,
        example: r#"<|python_tag|>{"name": "read", "parameters": {"path": "a"}}"#,
        models: "Llama 3.1 to 3.3",
    },
    Family {
        name: "deepseek",
        opens: &["<｜tool▁call▁begin｜>", "<｜tool_call_begin｜>"],
        closes: &["<｜tool▁call▁end｜>", "<｜tool_call_end｜>"],
        closing: Closing::Needed,
        form: Form::Named(Naming::DeepSeek),
        example: r#"<｜tool▁call▁begin｜>read<｜tool▁sep｜>{"path": "a"}<｜tool▁call▁end｜>"#,
        models: "DeepSeek V3, V3.1, R1",
    },
    Family {
        name: "kimi",
        opens: &["<|tool_call_begin|>"],
        closes: &["<|tool_call_end|>"],
        closing: Closing::Needed,
        form: Form::Named(Naming::Kimi),
        example: r#"<|tool_call_begin|>functions.read:0<|tool_call_argument_begin|>{"path": "a"}<|tool_call_end|>"#,
        models: "Kimi K2",
    },
    Family {
        name: "harmony",
        opens: &["<|channel|>", "<|start|>"],
        closes: &["<|call|>"],
        closing: Closing::Free,
        form: Form::Named(Naming::Harmony),
        example: r#"<|channel|>commentary to=functions.read <|constrain|>json<|message|>{"path": "a"}<|call|>"#,
        models: "gpt-oss",
    },
    Family {
        name: "function_calls",
        opens: &["<function_calls>"],
        closes: &["</function_calls>"],
        closing: Closing::Needed,
        form: Form::Wrapper,
        example: "<function_calls>read(path=\"a\")</function_calls>",
        models: "Olmo 3; with tags inside any",
    },
    Family {
        name: "granite",
        opens: &["<|tool_call|>", "<function_call>"],
        closes: &["<|/tool_call|>", "</function_call>"],
        closing: Closing::Free,
        form: Form::Values,
        example: r#"<|tool_call|>[{"name": "read", "arguments": {"path": "a"}}]"#,
        models: "Granite 3, Granite 20B, Phi 4 mini",
    },
    Family {
        name: "functools",
        opens: &["functools"],
        closes: &[],
        closing: Closing::Free,
        form: Form::Values,
        example: r#"functools[{"name": "read", "arguments": {"path": "a"}}]"#,
        models: "Phi 4 mini, FireFunction; only at the beginning of an answer",
    },
    Family {
        name: "gigachat",
        opens: &[
            "<|function_call|>",
            "function call<|role_sep|>",
            "<|message_sep|>\n\nfunction call<|role_sep|>",
        ],
        closes: &["<|message_sep|>", "</s>"],
        closing: Closing::Free,
        form: Form::Values,
        example: "function call<|role_sep|>\n{\"name\": \"read\", \"arguments\": {\"path\": \"a\"}}",
        models: "GigaChat 3",
    },
    Family {
        name: "apertus",
        opens: &["<|tools_prefix|>"],
        closes: &["<|tools_suffix|>"],
        closing: Closing::Needed,
        form: Form::Values,
        example: r#"<|tools_prefix|>[{"read": {"path": "a"}}]<|tools_suffix|>"#,
        models: "Apertus",
    },
    Family {
        name: "cohere",
        opens: &["<|START_ACTION|>"],
        closes: &["<|END_ACTION|>"],
        closing: Closing::Needed,
        form: Form::Values,
        example: r#"<|START_ACTION|>[{"tool_call_id": "0", "tool_name": "read", "parameters": {"path": "a"}}]<|END_ACTION|>"#,
        models: "Command A, Command R7B",
    },
    Family {
        name: "internlm",
        opens: &["<|action_start|><|plugin|>", "<|action_start|> <|plugin|>"],
        closes: &["<|action_end|>"],
        closing: Closing::Needed,
        form: Form::Values,
        example: r#"<|action_start|><|plugin|>{"name": "read", "parameters": {"path": "a"}}<|action_end|>"#,
        models: "InternLM 2.5 and later",
    },
    Family {
        name: "longcat",
        opens: &["<longcat_tool_call>"],
        closes: &["</longcat_tool_call>"],
        closing: Closing::Needed,
        form: Form::Values,
        example: r#"<longcat_tool_call>{"name": "read", "arguments": {"path": "a"}}</longcat_tool_call>"#,
        models: "LongCat",
    },
    Family {
        name: "nemotron",
        opens: &["<TOOLCALL>"],
        closes: &["</TOOLCALL>"],
        closing: Closing::Needed,
        form: Form::Values,
        example: r#"<TOOLCALL>[{"name": "read", "arguments": {"path": "a"}}]</TOOLCALL>"#,
        models: "Nemotron Nano 2, Llama Nemotron",
    },
    Family {
        name: "lfm",
        opens: &["<|tool_call_start|>"],
        closes: &["<|tool_call_end|>"],
        closing: Closing::Needed,
        form: Form::Python,
        example: "<|tool_call_start|>[read(path=\"a\")]<|tool_call_end|>",
        models: "LFM 2",
    },
    Family {
        name: "python_start",
        opens: &["<|python_start|>"],
        closes: &["<|python_end|>", "<|eom|>", "<|eot|>"],
        closing: Closing::Free,
        form: Form::Python,
        example: "<|python_start|>[read(path=\"a\")]<|python_end|>",
        models: "Llama 4",
    },
    Family {
        name: "function gemma",
        opens: &["<start_function_call>"],
        closes: &["<end_function_call>"],
        closing: Closing::Needed,
        form: Form::Braced("<escape>"),
        example: "<start_function_call>call:read{path:<escape>a<escape>}<end_function_call>",
        models: "FunctionGemma",
    },
    Family {
        name: "gemma",
        opens: &["<|tool_call>"],
        closes: &["<tool_call|>"],
        closing: Closing::Needed,
        form: Form::Braced("<|\"|>"),
        example: "<|tool_call>call:read{path:<|\"|>a<|\"|>}<tool_call|>",
        models: "Gemma 4",
    },
    Family {
        name: "function name",
        opens: &["<function name="],
        closes: &["</function>"],
        closing: Closing::Needed,
        form: Form::Tagged(Tags {
            argument: "<param name=",
            argument_close: "</param>",
            call_close: "</function>",
            spelled: Spelled::Block,
        }),
        example: r#"<function name="read"><param name="path">a</param></function>"#,
        models: "MiniCPM 5",
    },
    Family {
        name: "steptml",
        opens: &["<steptml:invoke name="],
        closes: &["</steptml:invoke>"],
        closing: Closing::Needed,
        form: Form::Tagged(Tags {
            argument: "<steptml:parameter name=",
            argument_close: "</steptml:parameter>",
            call_close: "</steptml:invoke>",
            spelled: Spelled::Block,
        }),
        example: r#"<steptml:invoke name="read"><steptml:parameter name="path">a</steptml:parameter></steptml:invoke>"#,
        models: "Step 3",
    },
    Family {
        name: "atem",
        opens: &["<atem:invoke name="],
        closes: &["</atem:invoke>"],
        closing: Closing::Needed,
        form: Form::Tagged(Tags {
            argument: "<atem:parameter name=",
            argument_close: "</atem:parameter>",
            call_close: "</atem:invoke>",
            spelled: Spelled::Block,
        }),
        example: r#"<atem:invoke name="read"><atem:parameter name="path">a</atem:parameter></atem:invoke>"#,
        models: "Muse Glimmer",
    },
    Family {
        name: "fenced call",
        opens: &[],
        closes: &["```"],
        closing: Closing::Needed,
        form: Form::Fence(Fenced::Call),
        example: "```tool_call\n{\"name\": \"read\", \"arguments\": {\"path\": \"a\"}}\n```",
        models: "any; nothing but white space may follow",
    },
    Family {
        name: "fenced JSON",
        opens: &[],
        closes: &["```"],
        closing: Closing::Needed,
        form: Form::Fence(Fenced::Json),
        example: "```json\n{\"name\": \"read\", \"arguments\": {\"path\": \"a\"}}\n```",
        models: "any; only as the whole answer",
    },
    Family {
        name: "fenced Python",
        opens: &[],
        closes: &["```"],
        closing: Closing::Needed,
        form: Form::Fence(Fenced::Code),
        example: "```tool_code\nread(path=\"a\")\n```",
        models: "Gemma 3; nothing but white space may follow",
    },
    Family {
        name: "bare",
        opens: &[],
        closes: &[],
        closing: Closing::Free,
        form: Form::Whole,
        example: r#"{"name": "read", "parameters": {"path": "a"}}"#,
        models: "Llama 3, xLAM; as a list of Python calls Llama 4, LFM 2; only as the whole answer",
    },
    Family {
        name: "tool tag",
        opens: &[],
        closes: &[],
        closing: Closing::Needed,
        form: Form::ToolTag,
        example: "<read><path>a</path></read>",
        models: "any that was taught so; at the start of a line, nothing but white space may follow",
    },
];

/// Marks around calls. They are never shown.
pub(super) const RESIDUE: &[&str] = &[
    "</tool_call>",
    "</tool_calls>",
    "</tools>",
    "</function_calls>",
    "<dots_function_call>",
    "</dots_function_call>",
    "<steptml:tool_calls>",
    "</steptml:tool_calls>",
    "<atem:function_calls>",
    "</atem:function_calls>",
    "<minimax:tool_call>",
    "</minimax:tool_call>",
    "<seed:tool_call>",
    "</seed:tool_call>",
    "<｜DSML｜function_calls>",
    "</｜DSML｜function_calls>",
    "<｜DSML｜tool_calls>",
    "</｜DSML｜tool_calls>",
    "<｜tool▁calls▁begin｜>",
    "<｜tool▁calls▁end｜>",
    "<｜tool▁call▁end｜>",
    "<｜tool_call_end｜>",
    "<｜tool_calls_begin｜>",
    "<｜tool_calls_end｜>",
    "<|tool_calls_section_begin|>",
    "<|tool_calls_section_end|>",
    "<|tool_call_section_begin|>",
    "<|tool_call_section_end|>",
    "<|tool_call_end|>",
    "<|eom_id|>",
    "<|eot_id|>",
    "<|im_end|>",
    "<｜end▁of▁sentence｜>",
];

/// Behind a call these are residue too; elsewhere they may be what the model wants to say.
pub(super) const RESIDUE_BEHIND_CALLS: &[&str] = &[
    "</s>",
    "</function>",
    "</invoke>",
    "<|endoftext|>",
    "<|end|>",
    "<|return|>",
];

/// What a model writes around text that is not its own. A call in there is somebody else's.
pub(super) const QUOTES: &[(&str, &str)] = &[
    ("<tool_response>", "</tool_response>"),
    ("<tool_result>", "</tool_result>"),
    ("<tool_results>", "</tool_results>"),
    ("<tool_output>", "</tool_output>"),
    ("<function_results>", "</function_results>"),
    ("<function_response>", "</function_response>"),
];

/// The family of this form.
pub(super) fn of(fits: impl Fn(Form) -> bool) -> Option<&'static Family> {
    FAMILIES.iter().find(|family| fits(family.form))
}
