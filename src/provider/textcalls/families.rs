//! The ways in which models write a call as text, one row each: what opens it, how its arguments are written, what closes it.
//!
//! A family that differs from another only in its marks is a row and nothing else. The table of `docs/toolcalls.md` is written from these rows.

mod rows;

pub(crate) use rows::FAMILIES;

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
    /// `NAME">` and a tag for each argument, each tag behind this mark; lists are repeated `<item>`, objects further tags.
    Nested(&'static str),
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

/// The pairs that GLM and those after it write between the marks of Hermes.
pub(super) const PAIRS: Tags = Tags {
    argument: "<arg_key>",
    argument_close: "</arg_value>",
    call_close: "</tool_call>",
    spelled: Spelled::Pairs,
};

/// The same with the marks of K2 Horizon.
pub(super) const IFM_PAIRS: Tags = Tags {
    argument: "<ifm|arg_key>",
    argument_close: "</ifm|arg_value>",
    call_close: "</ifm|tool_call>",
    spelled: Spelled::Pairs,
};

/// What stands between the key and the value of a pair.
#[derive(Debug, Clone, Copy)]
pub(super) struct PairMarks {
    pub(super) key_close: &'static str,
    pub(super) type_open: &'static str,
    pub(super) type_close: &'static str,
    pub(super) value_open: &'static str,
}

impl Tags {
    pub(super) fn pair_marks(self) -> PairMarks {
        if self.argument == IFM_PAIRS.argument {
            return PairMarks {
                key_close: "</ifm|arg_key>",
                type_open: "<ifm|arg_type>",
                type_close: "</ifm|arg_type>",
                value_open: "<ifm|arg_value>",
            };
        }
        PairMarks {
            key_close: "</arg_key>",
            type_open: "<arg_type>",
            type_close: "</arg_type>",
            value_open: "<arg_value>",
        }
    }
}

/// Between the name and the pairs of Hunyuan.
pub(super) const NAME_SEP: &str = "<tool_sep>";

/// The mark in front of each tag of MiniMax M3.
pub(super) const MINIMAX_MARK: &str = "]<]minimax[>[";

/// Marks around calls. They are never shown.
pub(super) const RESIDUE: &[&str] = &[
    "</tool_call>",
    "</tool_calls>",
    "</tools>",
    "</function_calls>",
    "<ifm|tool_calls>",
    "</ifm|tool_calls>",
    "</ifm|tool_call>",
    "]<]minimax[>[<tool_call>",
    "]<]minimax[>[</tool_call>",
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

/// Tokens that end an answer. What a model writes behind one is an invented turn of somebody else.
pub(super) const ENDS: &[&str] = &[
    "<|im_end|>",
    "<|eot_id|>",
    "<|eom_id|>",
    "<|end_of_text|>",
    "<|endoftext|>",
    "<|end|>",
    "<|eot|>",
    "<|eom|>",
    "<|return|>",
    "<|end_of_turn|>",
    "<|END_OF_TURN_TOKEN|>",
    "<end_of_turn>",
    "<｜end▁of▁sentence｜>",
    // Turns of others, whose end before them was lost.
    "<|im_start|>",
    "<|start_header_id|>",
    "<start_of_turn>",
    "<|user|>",
    "<|observation|>",
    "<｜User｜>",
];

/// What a template writes before an answer, and a model once more.
pub(super) const HEADERS: &[&str] = &[
    "<|im_start|>assistant\n",
    "<|start_header_id|>assistant<|end_header_id|>\n\n",
    "<start_of_turn>model\n",
    "<|assistant|>",
    "<｜Assistant｜>",
];

/// Tags that end a thought. Alone they say that the template opened it.
pub(super) const THOUGHT_ENDS: &[&str] = &["</think>", "</seed:think>", "[/THINK]"];
pub(super) const THOUGHT_BEGINS: &[&str] = &["<think>", "<seed:think>", "[THINK]"];

/// Marks of messages as gpt-oss has them.
pub(super) const HARMONY: &[&str] = &[
    "<|channel|>",
    "<|start|>",
    "<|message|>",
    "<|constrain|>",
    "<|call|>",
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
